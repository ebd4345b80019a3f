"""From a described mechanism to equations: joint frames, joint coordinates, trees and cuts, rank, assembly."""
