from .mpi import Ranks as Ranks
from .mpi import launched as launched
from .mpi import ranks as ranks
