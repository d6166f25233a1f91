import { Button } from '@mantine/core';
import styles from './breakpoint-list.module.css';
import { takeOverBreakpoints } from './breakpoint-store.ts';
import { texts } from './texts.ts';

/** Says that breakpoints which came with the folder are off, with a button that uses them. */
export function ForeignBreakpoints() {
  return (
    <section className={styles.foreign} aria-label={texts.foreign.title}>
      <strong>{texts.foreign.title}</strong>
      <p>{texts.foreign.text}</p>
      <Button size="compact-sm" variant="default" onClick={() => void takeOverBreakpoints()}>
        {texts.foreign.takeOver}
      </Button>
    </section>
  );
}
