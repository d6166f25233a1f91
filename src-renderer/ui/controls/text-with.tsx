import { Fragment, type ReactNode } from 'react';

/** A text whose `{name}` placeholders are elements, so that a translation can move them: `Press {run} to run this flow.` */
export function TextWith({ text, parts }: { readonly text: string; readonly parts: Readonly<Record<string, ReactNode>> }) {
  return text.split(/\{(\w+)\}/).map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its position in the text
    index % 2 === 0 ? piece : <Fragment key={index}>{parts[piece]}</Fragment>,
  );
}
