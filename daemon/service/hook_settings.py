"""What hooks go by while the daemon runs: what the settings and prompt packs say now, as with any command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from memgardend.config.load import FILENAME, load
from memgardend.core.errors import ConfigError
from memgardend.daemon.effective import keep_effective
from memgardend.daemon.locations import EFFECTIVE_FILE
from memgardend.daemon.prompts import pack_of
from memgardend.daemon.settings_mark import settings_mark

if TYPE_CHECKING:
    from memgardend.config.model import Config
    from memgardend.daemon.garden import Workspace

log = structlog.get_logger(__name__)


class HookSettings:
    """Those of one workspace. They only shape what is shown, so they need no reload as the daemon's own do."""

    def __init__(self, place: Workspace, mark: str) -> None:
        """`mark`: of the settings file as the daemon has read it."""
        self._place = place
        self._mark = mark
        self._config: Config = place.config

    def keep(self) -> None:
        """Write what has changed; settings with mistakes change nothing."""
        folder, root = self._place.folder, self._place.root
        if not (folder / EFFECTIVE_FILE).exists():
            return
        mark = settings_mark(root)
        if mark != self._mark:
            self._mark = mark
            log.info("settings_edited")
            try:
                self._config = load(root / FILENAME)
            except ConfigError as error:
                log.warning(
                    "hook_settings_kept", file=str(folder / EFFECTIVE_FILE), reason=str(error)
                )
        keep_effective(folder, self._config, pack_of(root, self._config.locale).slot)
