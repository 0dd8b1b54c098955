"""What a build did and how a corpus is, for people and programs."""
