"""Motion under forces: equations of motion, their integration, events, checkpoints and changes of free coordinates."""
