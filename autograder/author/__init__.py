"""The author's tools: begin chapters and exercises, build what students get, prove the checks, and make releases."""
