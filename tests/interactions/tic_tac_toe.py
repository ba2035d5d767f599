"""The end positions of tic-tac-toe, by playing every game; X begins."""

from __future__ import annotations

import numpy as np

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner(board):
    """Who has a line, or nobody."""
    for line in LINES:
        held = {board[square] for square in line}
        if len(held) == 1 and held <= {"X", "O"}:
            return held.pop()
    return ""


def end_positions():
    """Boards, and the winner of each ("" for a draw)."""
    ends, open_boards = {}, {" " * 9}
    for turn in range(10):
        further = set()
        for board in open_boards:
            if winner(board) or turn == 9:
                ends[board] = winner(board)
                continue
            for square in range(9):
                if board[square] == " ":
                    further.add(board[:square] + "XO"[turn % 2] + board[square + 1 :])
        open_boards = further
    return dict(sorted(ends.items()))


def table():
    """A row a board: X at each square, then O at each; and the winners."""
    ends = end_positions()
    X = [[board[k] == player for player in "XO" for k in range(9)] for board in ends]
    return np.array(X), np.array([who or "draw" for who in ends.values()])
