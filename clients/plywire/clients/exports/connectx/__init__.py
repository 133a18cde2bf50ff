"""A bot for ConnectX, the Connect Four of Kaggle's competitions."""
