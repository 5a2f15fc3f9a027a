"""Certificates that sign themselves, so that the sample web answers https too.

Scrapy does not verify certificates by default, but warns of one for another host. So
each host has its own. They are made anew in each run; nothing else should trust them.
"""

from __future__ import annotations

import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Certificates:
    """TLS contexts of servers, one a host, made when they are first asked for."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._contexts: dict[str, ssl.SSLContext] = {}

    def context(self, host: str) -> ssl.SSLContext:
        if host not in self._contexts:
            self._contexts[host] = self._load(self._certificate(host))
        return self._contexts[host]

    def _certificate(self, host: str) -> x509.Certificate:
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "issuecrawl demo")])
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(self._key.public_key())
            .serial_number(x509.random_serial_number())
            # Clocks of containers are known to differ.
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=30))
            .add_extension(
                x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False
            )
            .sign(self._key, hashes.SHA256())
        )

    def _load(self, certificate: x509.Certificate) -> ssl.SSLContext:
        pem = self._key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ) + certificate.public_bytes(serialization.Encoding.PEM)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        # The ssl module reads keys from files alone.
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "demo.pem"
            path.touch(mode=0o600)
            path.write_bytes(pem)
            context.load_cert_chain(path)
        return context
