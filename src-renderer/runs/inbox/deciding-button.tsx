import { Button, type ButtonProps } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useSeenFor } from './use-seen-for.ts';

interface DecidingButtonProps
  extends Pick<ButtonProps, 'variant' | 'className' | 'disabled' | 'loading' | 'rightSection' | 'fullWidth' | 'justify'> {
  readonly children: ReactNode;
  onDecide(): void;
}

/** Milliseconds for which a button must be visible before it works, so that no click meant for something else answers a new question. */
export const decidingDelay = 700;

/** A button that answers a question. It takes no focus by itself, and does nothing until it has been visible for a while. */
export function DecidingButton({ onDecide, children, ...props }: DecidingButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const ready = useSeenFor(button, decidingDelay);

  function onKeyDown(event: KeyboardEvent) {
    // A key that is held down is not a decision.
    if (event.key === 'Enter' && event.repeat) event.preventDefault();
  }

  return (
    <Button ref={button} {...props} data-ready={ready} onKeyDown={onKeyDown} onClick={() => ready && onDecide()}>
      {children}
    </Button>
  );
}
