import { Button } from '@mantine/core';
import { studio } from '#renderer/api/studio.ts';
import { changeModels } from '#renderer/stores/models.ts';
import type { ModelsOverview } from '#shared/contract/models.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { useAction } from './use-action.ts';

/** Keys that are kept for addresses that nothing uses now: another proxy, a service that was removed. */
export function OtherKeys({ keys }: { keys: ModelsOverview['other_keys'] }) {
  const action = useAction();
  if (keys.length === 0) return null;
  return (
    <>
      <p className={styles.note}>Keys for addresses that are not in use now:</p>
      <ul className={styles.list}>
        {keys.map(({ provider, endpoint }) => (
          <li key={`${provider} ${endpoint}`} className={styles.row}>
            <span className={styles.grow}>
              {provider} <code className={styles.address}>{endpoint}</code>
            </span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Remove the key for ${endpoint}`}
              onClick={() => action.run(() => changeModels(() => studio.models.removeKey({ provider, endpoint })))}
            >
              Remove key
            </Button>
          </li>
        ))}
      </ul>
      <Outcome action={action} />
    </>
  );
}
