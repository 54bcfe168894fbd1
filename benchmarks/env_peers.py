"""The environments of others that stepping is compared with, each in a virtual environment of its own.

They pin other versions of the same libraries. The virtual environments stand in the user's cache folder and are made
when they are first wanted.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PEERS", "Peer", "python_of", "steps_a_second"]

TIMED = """
import random, sys, time
seconds, warm = float(sys.argv[1]), 200
rng = random.Random(0)
taken, began = 0, 0.0
while True:
    if taken == warm:
        began = time.perf_counter()
    if taken >= warm and taken % 20 == 0 and time.perf_counter() - began >= seconds:
        break
    step(rng)
    taken += 1
print((taken - warm) / (time.perf_counter() - began))
"""
"""Steps at random for so many seconds after a few to warm up, and prints how many a second; needs `step(rng)`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """An environment of somebody else's."""

    name: str
    packages: tuple[str, ...]
    """What pip installs for it, at the versions that were measured."""
    shown: tuple[str, ...]
    """Packages whose versions are reported."""
    script: str
    """Defines `step(rng)`: one decision at random among those allowed, observation and mask included."""


PEERS = (
    Peer(
        name="chess_v6",
        packages=("pettingzoo[classic]==1.27.0",),
        shown=("pettingzoo",),
        script="""
import numpy as np
from pettingzoo.classic import chess_v6
env = chess_v6.env()
env.reset(seed=0)
def step(rng):
    seen, _, ended, cut, _ = env.last()
    if ended or cut:
        env.reset()
        return
    allowed = np.flatnonzero(seen["action_mask"])
    env.step(int(allowed[int(rng.random() * len(allowed))]))
""",
    ),
    Peer(
        name="catanatron",
        packages=("catanatron==3.2.1", "catanatron_gym==4.0.0", "numpy<2"),
        shown=("catanatron", "catanatron_gym"),
        script="""
from catanatron_gym.envs import CatanatronEnv
env = CatanatronEnv({"representation": "vector"})
env.reset(seed=0)
def step(rng):
    allowed = env.get_valid_actions()
    _, _, ended, cut, _ = env.step(allowed[int(rng.random() * len(allowed))])
    if ended or cut:
        env.reset()
""",
    ),
)


def python_of(peer: Peer) -> Path:
    """The interpreter that has the peer; made, with a network, when it is first wanted.

    Raises:
        CalledProcessError: it could not be made.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME", "") or Path.home() / ".cache")
    home = cache / "tactician" / "peers" / peer.name
    python, done = home / "bin" / "python", home / "installed"
    if not done.exists() or done.read_text(encoding="utf-8") != "\n".join(peer.packages):
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *peer.packages], check=True)
        done.write_text("\n".join(peer.packages), encoding="utf-8")
    return python


def steps_a_second(python: Path, script: str, seconds: float) -> float:
    """What a child process measures that steps at random for so long, on one core."""
    core = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    command = [str(python), "-P", "-c", script + TIMED, str(seconds)]
    done = subprocess.run(command, env={**os.environ, **core}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return float(done.stdout.split()[-1])
