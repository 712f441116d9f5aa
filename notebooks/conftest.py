"""Before nbval starts the kernels: no progress lines, since what a notebook prints is compared with what is stored."""

import os

os.environ["RQ_PROGRESS"] = "0"
