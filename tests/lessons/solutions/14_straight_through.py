"""The solutions of lesson 14, each under the id of its cell, and with the names that stand there."""
# ruff: noqa: F821

# %% exercise-a
recon = (d * (z_e + (e - z_e).detach()) - 2) ** 2
codebook = (z_e.detach() - e) ** 2
commitment = beta * (z_e - e.detach()) ** 2
# %% exercise-b
gate = p + ((p > 0.5).float() - p).detach()
