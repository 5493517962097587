#!/usr/bin/python3
"""A WebKitGTK window for WebKitWebDriver.

The first argument is the profile folder, the second a script that runs in every page before the page's own. An automated MiniBrowser deletes its profile on exit, so it cannot be tested across a restart.
"""

import os
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

profile, script = sys.argv[1:]
# The driver discards the browser's output; the report of a failed test needs the page's console.
log = os.open(f"{profile}/browser.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
os.dup2(log, 1)
os.dup2(log, 2)

manager = WebKit2.WebsiteDataManager(
    base_data_directory=f"{profile}/data", base_cache_directory=f"{profile}/cache"
)
context = WebKit2.WebContext(website_data_manager=manager)
context.set_automation_allowed(True)

# Safari has navigator.storage; in WebKitGTK it is still behind a feature flag.
settings = WebKit2.Settings(enable_write_console_messages_to_stdout=True)
features = WebKit2.Settings.get_all_features()
for n in range(features.get_length()):
    if features.get(n).get_identifier() in ("StorageAPI", "StorageAPIEstimate"):
        settings.set_feature_enabled(features.get(n), True)


def create_view(_session):
    window = Gtk.Window(default_width=480, default_height=900)
    content = WebKit2.UserContentManager()
    frames = WebKit2.UserContentInjectedFrames.TOP_FRAME
    at_start = WebKit2.UserScriptInjectionTime.START
    content.add_script(WebKit2.UserScript.new(script, frames, at_start, None, None))
    view = WebKit2.WebView(user_content_manager=content, web_context=context, settings=settings, is_controlled_by_automation=True)
    view.connect("close", lambda _view: window.destroy())
    window.connect("destroy", lambda _window: Gtk.main_quit())
    window.add(view)
    window.show_all()
    return view


def start(_context, session):
    info = WebKit2.ApplicationInfo.new()
    info.set_name("WebKitGTK")
    info.set_version(1, 0, 0)
    session.set_application_info(info)
    session.connect("create-web-view", create_view)


context.connect("automation-started", start)
Gtk.main()
