import { useEffect, useRef } from 'react';
import { announce } from '#renderer/shell/announcer.ts';
import { sentencesAfter } from './sentences.ts';

/** Announces a text that is being written, once for each of its sentences; the rest when it is complete. */
export function useSpoken(text: string): void {
  const spoken = useRef({ text: '', upTo: 0 });
  useEffect(() => {
    const before = spoken.current;
    const goesOn = text !== '' && text.startsWith(before.text.slice(0, before.upTo));
    const rest = before.text.slice(before.upTo).trim();
    if (!goesOn && rest !== '') announce(rest);
    const from = goesOn ? before.upTo : 0;
    const upTo = sentencesAfter(text, from);
    const sentences = text.slice(from, upTo).trim();
    if (sentences !== '') announce(sentences);
    spoken.current = { text, upTo };
  }, [text]);
}
