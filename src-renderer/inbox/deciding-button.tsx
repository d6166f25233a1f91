import { Button, type ButtonProps } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useSeenFor } from './use-seen-for.ts';

interface DecidingButtonProps
  extends Pick<ButtonProps, 'variant' | 'className' | 'disabled' | 'loading' | 'rightSection' | 'fullWidth' | 'justify'> {
  readonly children: ReactNode;
  onDecide(): void;
}

/** For so long a button must have been in sight before it decides: nobody answers what has just appeared under his hand. */
export const decidingDelay = 700;

/** A button that answers for a person. It takes no focus by itself, and until it has been seen for a while it does nothing. */
export function DecidingButton({ onDecide, children, ...props }: DecidingButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const ready = useSeenFor(button, decidingDelay);

  function onKeyDown(event: KeyboardEvent) {
    // A key that was held down since before is no decision.
    if (event.key === 'Enter' && event.repeat) event.preventDefault();
  }

  return (
    <Button ref={button} {...props} data-ready={ready} onKeyDown={onKeyDown} onClick={() => ready && onDecide()}>
      {children}
    </Button>
  );
}
