"""Where the files of the service lie: a user's own, or one instance of the system's."""

from __future__ import annotations

import os
import pwd
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memgardend.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

ETC = Path("/etc")
_LINGER = Path("/var/lib/systemd/linger")


@dataclass(frozen=True, slots=True)
class Place:
    """`units`: the folder that systemd reads; `config`: where the environment file lies."""

    system: bool
    user: str
    home: Path
    units: Path
    config: Path

    @property
    def shipped(self) -> str:
        """The name of the unit file."""
        return "memgardend@.service" if self.system else "memgardend.service"

    @property
    def unit(self) -> str:
        """The name for systemctl."""
        return f"memgardend@{self.user}.service" if self.system else "memgardend.service"

    @property
    def unit_file(self) -> Path:
        """The unit."""
        return self.units / self.shipped

    @property
    def drop_in(self) -> Path:
        """What is particular to this person."""
        return self.units / f"{self.unit}.d" / "10-install.conf"

    @property
    def env_file(self) -> Path:
        """What the person fills in."""
        return self.config / (f"{self.user}.env" if self.system else "service.env")

    @property
    def systemctl(self) -> tuple[str, ...]:
        """How its manager is spoken to."""
        return ("systemctl",) if self.system else ("systemctl", "--user")

    @property
    def sudo(self) -> tuple[str, ...]:
        """What this person must type before what only root may do."""
        return ("sudo",) if self.system and os.geteuid() != 0 else ()

    def typed(self, *words: str) -> str:
        """A line of systemctl for a person to type."""
        return " ".join((*self.sudo, *self.systemctl, *words))

    @property
    def edited(self) -> str:
        """How values are filled in."""
        return " ".join((*self.sudo, "$EDITOR", shlex.quote(str(self.env_file))))

    @property
    def may_look(self) -> bool:
        """False when the values are root's own to read."""
        return not self.env_file.exists() or os.access(self.env_file, os.R_OK)

    @property
    def journal(self) -> str:
        """How its log is read."""
        return " ".join((*self.sudo, "journalctl", *self.systemctl[1:], "-u", self.unit))

    @property
    def lingers(self) -> bool:
        """True when it runs without anybody being logged in."""
        return self.system or (_LINGER / self.user).exists()


def user_place(environ: Mapping[str, str]) -> Place:
    """The person's own systemd."""
    account = pwd.getpwuid(os.getuid())
    home = Path(environ.get("HOME") or account.pw_dir)
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    return Place(False, account.pw_name, home, config / "systemd/user", config / "memgardend")


def system_place(user: str, etc: Path = ETC) -> Place:
    """The system's, for this user. Raises UsageError when there is no such user."""
    try:
        account = pwd.getpwnam(user)
    except KeyError:
        raise UsageError(f"there is no user {user}", hint="getent passwd") from None
    return Place(
        True, account.pw_name, Path(account.pw_dir), etc / "systemd/system", etc / "memgardend"
    )
