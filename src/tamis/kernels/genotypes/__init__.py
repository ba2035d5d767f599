"""Two bits a call: counting and scoring straight from packed bytes."""
