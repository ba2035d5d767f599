"""Options of `tamis interact`, made of the settings that searches declare."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import rich_click as click

if TYPE_CHECKING:
    from .._core.parameters import Parameters
    from .._core.rows import SearchRow
    from ..discovery.interface import Setting

COMMON_HEADING = "Every search"  # the heading of what all searches have


class NumberOrWord(click.ParamType):
    """A number, or one of some words."""

    def __init__(self, *words: str):
        self.name, self.words = "number", words

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not isinstance(value, str) or value in self.words:
            return value
        try:
            return int(value) if value.lstrip("+-").isdecimal() else float(value)
        except ValueError:
            allowed = " or ".join(repr(word) for word in self.words)
            raise click.BadParameter(f"{value!r} is no number; give one, or {allowed}") from None


class SharesOrWord(NumberOrWord):
    """A share, one for each class between commas, or one of some words."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if isinstance(value, str) and "," in value:
            return tuple(super(SharesOrWord, self).convert(v, param, ctx) for v in value.split(","))
        return super().convert(value, param, ctx)


class _HelpLater(click.RichOption):
    """An option whose help is put together when it is needed: it has defaults of methods, which
    take long to import."""

    def __init__(self, *declared: Any, help_text: Callable[[], str], **given: Any):
        self.help_text = help_text
        super().__init__(*declared, **given)

    @property
    def help(self) -> str:
        """What it sets."""
        return self.help_text()

    @help.setter
    def help(self, _: Any) -> None:
        """None is given."""


@dataclass(frozen=True)
class SearchOption:
    """An option, and what it sets in which searches.

    Attributes
    ----------
    name : str
        As in ``--name``.
    settings : mapping of str to Setting
        By the search's name, in the order of the registry.
    """

    name: str
    settings: Mapping[str, Setting]

    @property
    def key(self) -> str:
        """What click calls its value."""
        return self.name.replace("-", "_")

    def made(self) -> Any:
        """The decorator."""
        one = next(iter(self.settings.values()))
        off = (one.option.partition("/")[2] or f"no-{self.name}") if one.type is bool else ""
        declared = f"--{self.name}/--{off}" if off else f"--{self.name}"
        kind = _click_type(one)
        metavar = None if off or one.choices else "TEXT" if one.type is str else "NUMBER"
        return click.option(
            declared,
            self.key,
            type=kind,
            metavar=metavar,
            default=None,
            cls=_HelpLater,
            help_text=self.help,
        )

    def help(self) -> str:
        """What it sets, and the default of each search."""
        text, defaults = self.words()
        if len({one.help for one in self.settings.values()}) == 1:
            return f"{text} (default: {defaults})."
        each = (
            f"{name}: {_lower_first(one.help)} (default: {_default_text(one)})"
            for name, one in self.settings.items()
        )
        return "; ".join(each) + "."

    def words(self) -> tuple[str, str]:
        """What it sets, and the defaults; of each search, where they differ."""
        helps = {name: one.help for name, one in self.settings.items()}
        defaults = {name: _default_text(one) for name, one in self.settings.items()}
        each = "; ".join(f"{name}: {_lower_first(text)}" for name, text in helps.items())
        both = ", ".join(f"{name} {text}" for name, text in defaults.items())
        return (
            each if len(set(helps.values())) > 1 else next(iter(helps.values())),
            both if len(set(defaults.values())) > 1 else next(iter(defaults.values())),
        )


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


def search_options(rows: Sequence[SearchRow]) -> list[SearchOption]:
    """Every option of the searches, in the order in which they declare them.

    Raises
    ------
    PlanError
        Two searches have an option of one name, of which one takes what the other does not.
    """
    from .._core.errors import PlanError

    found: dict[str, dict[str, Setting]] = {}
    for row in rows:
        for one in row.load().given:
            others = found.setdefault(option_name(one), {})
            for other, its in others.items():
                if _kind_of(its) != _kind_of(one):
                    raise PlanError(
                        f"the searches {other!r} and {row.name!r} both have an option "
                        f"--{option_name(one)} and do not take the same values: give it another "
                        "name (Setting.option)"
                    )
            others[row.name] = one
    return [SearchOption(name, settings) for name, settings in found.items()]


def option_groups(
    options: Sequence[SearchOption], rows: Sequence[SearchRow]
) -> dict[str, list[SearchOption]]:
    """The options of the same searches together, under a heading; first those of all."""
    groups: dict[str, list[SearchOption]] = {COMMON_HEADING: []}
    for option in options:
        all_have = len(option.settings) == len(rows)
        groups.setdefault(COMMON_HEADING if all_have else ", ".join(option.settings), []).append(
            option
        )
    return groups


def option_name(setting: Setting) -> str:
    """Its name on the command line."""
    return setting.option.partition("/")[0] or setting.name.replace("_", "-")


def _kind_of(one: Setting) -> tuple[Any, ...]:
    """What an option takes."""
    return (one.type, one.ge, one.gt, one.le, one.lt, one.words, one.choices, one.per_class)


def _click_type(one: Setting) -> Any:
    if one.choices:
        return click.Choice(one.choices)
    if one.words or one.per_class:
        words = ["none" if word is None else word for word in one.words]
        return (SharesOrWord if one.per_class else NumberOrWord)(*words)
    if one.type is int or one.type is float:
        span: Any = click.IntRange if one.type is int else click.FloatRange
        return span(
            min=one.ge if one.gt is None else one.gt,
            min_open=one.gt is not None,
            max=one.le if one.lt is None else one.lt,
            max_open=one.lt is not None,
        )
    return one.type


def _default_text(one: Setting) -> str:
    """The default in words."""
    if one.default_text:
        return one.default_text
    one = one.known()
    if one.type is bool:
        on, _, off = one.option.partition("/")
        return (on or "yes") if one.default else (off or "no")
    if isinstance(one.default, int | float):
        return f"{one.default:,}" if isinstance(one.default, int) else f"{one.default:g}"
    return "none" if one.default is None else str(one.default)


def settings_of(
    method: str, given: Mapping[str, object], options: Sequence[SearchOption]
) -> Parameters:
    """What was given, as the search calls it; an option of other searches is refused."""
    found = {}
    for option in options:
        value = given.get(option.key)
        if value is None:
            continue
        if method not in option.settings:
            others = " and ".join(option.settings)
            raise click.UsageError(
                f"--{option.name} is no option of --method {method}, but of {others}"
            )
        found[option.settings[method].name] = None if value == "none" else value
    return found


def parameters_as_options(message: str, options: Mapping[str, str]) -> str:
    """A message with the command's options in place of parameters.

    Examples
    --------
    >>> options = {"n_permutations": "permutations", "level": "level"}
    >>> parameters_as_options("n_permutations=5: level=0.05 needs more; grade=3", options)
    '--permutations 5: --level 0.05 needs more; grade=3'
    """
    known = "|".join(sorted(options, key=len, reverse=True))

    def option_of(match: re.Match[str]) -> str:
        return f"--{options[match[1]]}" + ("" if match[2] else " ")

    renamed = re.sub(rf"(?<![\w'])({known})=(True\b)?", option_of, message)
    return renamed.replace(" None", " none")
