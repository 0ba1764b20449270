"""The exceptions of the package. All derive from :class:`AzulejoError`."""

__all__ = [
    "AgentError",
    "ArrayError",
    "AzulejoError",
    "BusyError",
    "IllegalActionError",
    "NetworkError",
    "RecordError",
    "RunError",
    "SpecError",
    "StateError",
]


class AzulejoError(Exception):
    """Anything that azulejo refuses or that fails in it."""


class SpecError(AzulejoError, ValueError):
    """A game, an agent or a number of players that names nothing, or a setting out of range."""


class IllegalActionError(AzulejoError, ValueError):
    """An action or a chance outcome that is malformed or that the rules forbid; nothing has changed."""


class StateError(AzulejoError, ValueError):
    """A JSON state that no game can be in."""


class ArrayError(AzulejoError, ValueError):
    """An array of the wrong dtype or shape, not contiguous, read-only, or passed twice."""


class AgentError(AzulejoError, RuntimeError):
    """An agent that did not answer, or answered with an action that is not legal."""


class RecordError(AzulejoError, ValueError):
    """A file of records that cannot be read, or a line in it that is no record."""


class RunError(AzulejoError, RuntimeError):
    """A run that cannot be played or gone on with: its directory, its settings, its files, or its agents."""


class NetworkError(AzulejoError, ValueError):
    """A weights file or tensors that are no network of this version's games."""


class BusyError(AzulejoError, RuntimeError):
    """An object that another thread is using, or that belongs to the process before a fork."""
