"""Ways to choose, by name: a policy is one file and one registration."""

from __future__ import annotations

from tactician.agent.policies.base import Budget, Decision, Policy, policy, policy_names, register

__all__ = ["Budget", "Decision", "Policy", "policy", "policy_names", "register"]
