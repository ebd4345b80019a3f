from .mpi import Ranks as Ranks
from .mpi import ranks as ranks
