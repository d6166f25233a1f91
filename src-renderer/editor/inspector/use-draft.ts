import { type KeyboardEvent, useEffect, useState } from 'react';

interface DraftField {
  readonly value: string;
  readonly error: string | null;
  onChange(event: { readonly currentTarget: { readonly value: string } }): void;
  onBlur(): void;
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * State of a text field that commits on blur or Enter and reverts on Escape. `commit` returns why the text is not
 * valid, or null if it was applied.
 */
export function useDraft(value: string, commit: (text: string) => string | null): DraftField {
  const [draft, setDraft] = useState(value);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    setDraft(value);
    setError(null);
  }, [value]);

  function apply() {
    if (draft === value) return setError(null);
    setError(commit(draft));
  }

  return {
    value: draft,
    error,
    onChange: (event) => {
      setDraft(event.currentTarget.value);
      setError(null);
    },
    onBlur: apply,
    onKeyDown: (event) => {
      if (event.key === 'Enter') apply();
      else if (event.key === 'Escape' && draft !== value) {
        event.stopPropagation();
        setDraft(value);
        setError(null);
      }
    },
  };
}
