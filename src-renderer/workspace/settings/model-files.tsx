import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { changeModels } from '#renderer/workspace/models/models.ts';
import type { ModelsOverview } from '#shared/contract/models.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { texts } from './texts.ts';
import { useAction } from './use-action.ts';

/** Model files that may be loaded from any folder. */
export function ModelFiles({ files }: { files: ModelsOverview['files'] }) {
  const [path, setPath] = useState('');
  const action = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.run(async () => {
      const failure = await changeModels(() => studio.models.addFile({ path: path.trim() }));
      if (failure) return failure;
      setPath('');
      return texts.models.files.added;
    });
  };
  return (
    <section className={styles.group} aria-label={texts.models.files.heading}>
      <h3>{texts.models.files.heading}</h3>
      <p className={styles.note}>{texts.models.files.about}</p>
      <ul className={styles.list}>
        {files.map((file) => (
          <li key={file.path} className={styles.row}>
            <code className={`${styles.address} ${styles.grow}`}>{file.path}</code>
            <span className={styles.note}>
              {file.size === null ? texts.models.files.missing : texts.models.files.size((file.size / 1e9).toFixed(1))}
            </span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={texts.removeOf(file.path)}
              onClick={() => action.run(() => changeModels(() => studio.models.removeFile({ path: file.path })))}
            >
              {texts.remove}
            </Button>
          </li>
        ))}
      </ul>
      <form className={styles.fields} onSubmit={submit}>
        <TextInput
          className={styles.grow ?? ''}
          label={texts.models.files.path}
          placeholder="/models/small.gguf"
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!path.trim()} loading={action.busy}>
          {texts.models.files.add}
        </Button>
      </form>
      <Outcome action={action} />
    </section>
  );
}
