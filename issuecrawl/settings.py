"""Scrapy settings of issuecrawl: what differs from Scrapy's defaults, and why."""

import logging

from issuecrawl.model.options import SETTINGS

BOT_NAME = "issuecrawl"
SPIDER_MODULES = ["issuecrawl.spiders"]
COMMANDS_MODULE = "issuecrawl.commands"

# issuecrawl.politeness adds program version and ISSUECRAWL_CONTACT.
USER_AGENT = "issuecrawl"
ROBOTSTXT_OBEY = True
ROBOTSTXT_USER_AGENT = "issuecrawl"
DOWNLOAD_DELAY = 1  # seconds, to one registrable domain; the Issue Crawler took 7
DOWNLOAD_DELAY_JITTER = 0  # default 0.5
CONCURRENT_REQUESTS_PER_DOMAIN = 1  # default 8
CONCURRENT_REQUESTS = 64  # slots at once; default 16
DOWNLOAD_TIMEOUT = 30  # default 180
DOWNLOAD_MAXSIZE = 10_000_000  # bytes; default 1 GiB
DOWNLOAD_WARNSIZE = 0  # what is too large is counted
RETRY_TIMES = 2

# The page table is the frontier: a URL becomes a Request when its turn comes.
SCHEDULER = "issuecrawl.frontier.scheduler.FrontierScheduler"
# Scrapy makes as many tasks as this for every response, needed or not; default 100.
CONCURRENT_ITEMS = 1

# The check reads the source of the callback, at every response; default True.
WARN_ON_GENERATOR_RETURN_VALUE = False

ITEM_PIPELINES = {"pipelines.store.StorePipeline": 300}

SPIDER_MIDDLEWARES = {
    "issuecrawl.middlewares.depth.DepthMiddleware": 200,
    # Nearer the spider: a link refused is not merely recorded.
    "issuecrawl.middlewares.exclusions.ExclusionsMiddleware": 300,
    # Every status is an answer; the spider says what it means.
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,
    # Ours counts steps within a site, over stored links.
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
    # Concern requests that a spider yields; ours yields none but spellings of a page.
    "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    "scrapy.spidermiddlewares.metacopy.MetaCopyDetectionMiddleware": None,
}

DOWNLOADER_MIDDLEWARES = {
    # Scrapy's own takes a robots.txt that cannot be had for leave to crawl.
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "issuecrawl.middlewares.robots.RobotsMiddleware": 100,
    # Retries and redirects are pages of the frontier, with their own turn and slot.
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    # Masks and exclusions decide where a crawl goes.
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
}

ADDONS = {"issuecrawl.politeness.Politeness": 0}

EXTENSIONS = {
    "issuecrawl.progress.Progress": 10,
    # Ours says pages, links and passes.
    "scrapy.extensions.logstats.LogStats": None,
}

# Both listen on loopback and run any Python they are sent.
REMOTE_CONTROL_ENABLED = False  # default True
TELNETCONSOLE_ENABLED = False  # default True

LOG_LEVEL = "INFO"  # default DEBUG: a line a page
STATS_DUMP = False  # default True; the summary says what users look for
# Certificates that do not fit are common, and a warning comes with every connection.
# A filter, since Scrapy sets levels anew when it configures logging.
logging.getLogger("scrapy.core.downloader.tls").addFilter(
    lambda record: record.levelno >= logging.ERROR
)
FEED_EXPORT_ENCODING = "utf-8"

globals().update({setting.name: setting.default for setting in SETTINGS})
