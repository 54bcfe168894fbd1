"""Train MaskablePPO on a duel and measure it: a first learner, small enough for one core and a few minutes.

    pip install -e '.[train]'
    python examples/train_ppo.py --steps 40000 --seed 1 --save first_learner.zip
    python examples/train_ppo.py --load first_learner.zip --games 200

The learner plays both sides by turns against an opponent by name; afterwards it meets `random` and `straight-ahead` in
the arena, on dice that training never saw, each seed twice with sides swapped.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv
from tactician.agent.arena import match
from tactician.agent.policies import policy
from tactician.agent.policies.numbered import Numbered
from tactician.env.solo import SoloEnv
from tactician.rules.core.ruleset import Scenario, load_ruleset
from torch import nn

EVALUATION_SEED = 900_000
"""Dice of the evaluation begin here; training draws its own below."""


class Table(BaseFeaturesExtractor):
    """Features of what a side sees: units with shared weights, the rest as it is, the board by a small net."""

    def __init__(self, space: gymnasium.spaces.Dict, width: int = 48, board: bool = True) -> None:
        """Lay the nets out for a size's observations."""
        slots, facts = space["units"].shape  # type: ignore[misc]
        rest = space["globals"].shape[0] + space["asked"].shape[0]  # type: ignore[index]
        super().__init__(space, features_dim=slots * width // 2 + rest + (64 if board else 0))
        self.unit = nn.Sequential(nn.Linear(facts, width), nn.ReLU(), nn.Linear(width, width // 2), nn.ReLU())
        self.board = (
            nn.Sequential(
                nn.Conv2d(6, 12, 4, stride=3), nn.ReLU(), nn.Conv2d(12, 16, 3, stride=2), nn.ReLU(), nn.Flatten(),
                nn.LazyLinear(64), nn.ReLU(),
            )
            if board
            else None
        )  # fmt: skip
        if self.board is not None:
            self.board(torch.zeros(1, *space["board"].shape))  # type: ignore[misc]

    def forward(self, seen: dict[str, torch.Tensor]) -> torch.Tensor:
        """One row of features for each observation."""
        parts = [self.unit(seen["units"]).flatten(1), seen["globals"], seen["asked"]]
        if self.board is not None:
            parts.append(self.board(seen["board"]))
        return torch.cat(parts, dim=1)


def environment(args: argparse.Namespace) -> SoloEnv:
    """One table to learn at."""
    return SoloEnv(
        args.ruleset, args.size, mission=args.mission, opponent=args.opponent, side="random", reward=args.reward
    )


def learner(args: argparse.Namespace) -> MaskablePPO:
    """A learner that has not played yet."""
    tables = DummyVecEnv([lambda: environment(args) for _ in range(args.tables)])
    return MaskablePPO(
        "MultiInputPolicy",
        tables,
        seed=args.seed,
        n_steps=args.rollout // args.tables,
        batch_size=256,
        n_epochs=args.epochs,
        learning_rate=args.rate,
        gamma=args.discount,
        gae_lambda=0.95,
        ent_coef=args.entropy,
        policy_kwargs={
            "features_extractor_class": Table,
            "features_extractor_kwargs": {"board": not args.no_board},
            "net_arch": [128, 128],
        },
        device="cpu",
    )


def chooser(model: MaskablePPO) -> Any:
    """The learner's best number, as the arena asks for it."""

    def choose(seen: dict[str, NDArray[np.float32]], mask: NDArray[np.bool_]) -> int:
        number, _ = model.predict(seen, action_masks=mask, deterministic=True)
        return int(number)

    return choose


def measured(model: MaskablePPO, args: argparse.Namespace, name: str) -> dict[str, Any]:
    """Share won against a policy, draws half, with its interval over pairs."""
    ruleset = load_ruleset(args.ruleset)
    scenario = Scenario(size=args.size, mission=args.mission, deployed=True)
    mine = Numbered(args.size, chooser(model), name="learner")
    result = match(ruleset, scenario, mine, policy(name), args.games, seed=EVALUATION_SEED)
    scores = [score for pair in result.pairs for score in pair]
    return {
        "against": name,
        "games": len(scores),
        "score": round(result.score, 4),
        "interval": [round(end, 4) for end in result.interval],
        "won": scores.count(1.0),
        "drawn": scores.count(0.5),
        "lost": scores.count(0.0),
    }


def arguments() -> argparse.Namespace:
    """What was asked for."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--ruleset", default="voidsiege")
    asked.add_argument("--size", default="duel")
    asked.add_argument("--mission", default="annihilation")
    asked.add_argument("--opponent", default="random")
    asked.add_argument("--reward", default="shaped")
    asked.add_argument("--steps", type=int, default=40_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--tables", type=int, default=8)
    asked.add_argument("--rollout", type=int, default=2048)
    asked.add_argument("--epochs", type=int, default=6)
    asked.add_argument("--rate", type=float, default=5e-4)
    asked.add_argument("--discount", type=float, default=0.995)
    asked.add_argument("--entropy", type=float, default=0.01)
    asked.add_argument("--games", type=int, default=200)
    asked.add_argument("--no-board", action="store_true")
    asked.add_argument("--save")
    asked.add_argument("--load")
    asked.add_argument("--out", help="write the result as JSON")
    return asked.parse_args()


def main() -> None:
    """Train, or load, and measure."""
    args = arguments()
    torch.set_num_threads(1)
    began = time.perf_counter()
    if args.load:
        model = MaskablePPO.load(args.load, device="cpu")
    else:
        model = learner(args)
        model.learn(args.steps)
    spent = time.perf_counter() - began
    if args.save:
        model.save(args.save)
    found = {
        "settings": {key: value for key, value in vars(args).items() if key not in ("save", "load", "out")},
        "seconds": round(spent, 1),
        "results": [measured(model, args, name) for name in ("random", "straight-ahead")],
    }
    text = json.dumps(found, indent=2)
    print(text)  # noqa: T201  (an example for the terminal)
    if args.out:
        with open(args.out, "w", encoding="utf-8") as file:
            file.write(text + "\n")


if __name__ == "__main__":
    main()
