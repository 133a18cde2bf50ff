"""A bot for ConnectX, the Connect Four of Kaggle's competitions, that goes there as one file."""
