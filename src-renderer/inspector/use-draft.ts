import { type KeyboardEvent, useEffect, useState } from 'react';

interface DraftField {
  readonly value: string;
  readonly error: string | null;
  onChange(event: { readonly currentTarget: { readonly value: string } }): void;
  onBlur(): void;
  onKeyDown(event: KeyboardEvent): void;
}

/**
 * A text field that is taken over when the user leaves it or presses Enter; Escape gives it up. `commit` answers why a
 * text cannot be taken, or null when it was.
 */
export function useDraft(value: string, commit: (text: string) => string | null): DraftField {
  const [draft, setDraft] = useState(value);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    setDraft(value);
    setError(null);
  }, [value]);

  function take() {
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
    onBlur: take,
    onKeyDown: (event) => {
      if (event.key === 'Enter') take();
      else if (event.key === 'Escape' && draft !== value) {
        event.stopPropagation();
        setDraft(value);
        setError(null);
      }
    },
  };
}
