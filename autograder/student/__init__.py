"""What a student uses: the working copy, checks, hints, notebooks, pictures and capstones."""
