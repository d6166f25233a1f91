import { Button } from '@mantine/core';
import { studio } from '#renderer/api/studio.ts';
import { changeModels } from '#renderer/workspace/models/models.ts';
import type { ModelsOverview } from '#shared/contract/models.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { texts } from './texts.ts';
import { useAction } from './use-action.ts';

/** Saved keys for addresses that nothing uses now, such as another proxy or a removed service. */
export function OtherKeys({ keys }: { keys: ModelsOverview['other_keys'] }) {
  const action = useAction();
  if (keys.length === 0) return null;
  return (
    <>
      <p className={styles.note}>{texts.models.otherKeys}</p>
      <ul className={styles.list}>
        {keys.map(({ provider, endpoint }) => (
          <li key={`${provider} ${endpoint}`} className={styles.row}>
            <span className={styles.grow}>
              {provider} <code className={styles.address}>{endpoint}</code>
            </span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={texts.models.removeKeyFor(endpoint)}
              onClick={() => action.run(() => changeModels(() => studio.models.removeKey({ provider, endpoint })))}
            >
              {texts.models.removeKey}
            </Button>
          </li>
        ))}
      </ul>
      <Outcome action={action} />
    </>
  );
}
