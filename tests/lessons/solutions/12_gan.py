"""The solutions of lesson 12, each under the id of its cell, and with the names that stand there."""
# ruff: noqa: F821

# %% exercise-a
wg, wd, z = play()
fake = wg * z
(wd * fake.detach()).backward()
kept = wd.grad.clone()
(-(wd * fake)).backward()
wd.grad = kept
# %% exercise-b
wg, wd, z = play()


def both():
    fake = (wg * z) ** 2
    (wd * fake.detach()).backward()
    (-(wd * fake)).backward()
