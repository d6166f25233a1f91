import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { TextWith } from '#renderer/ui/controls/text-with.tsx';
import type { StoredSecretInfo } from '#shared/contract/secrets.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { texts } from './texts.ts';
import { useAction } from './use-action.ts';

/** Names and hosts of the secrets that tools may send as {secret:NAME}, never their values. */
export function SecretSettings() {
  const [secrets, setSecrets] = useState<readonly StoredSecretInfo[]>([]);
  const action = useAction();
  useEffect(() => {
    studio.secrets.list().then(setSecrets, () => setSecrets([]));
  }, []);
  const change = (call: () => Promise<readonly StoredSecretInfo[]>, done: string) =>
    action.run(async () => {
      setSecrets(await call());
      return done;
    });
  return (
    <div className={styles.first}>
      <p className={styles.note}>
        <TextWith text={texts.secrets.about} parts={{ placeholder: <code>{'{secret:NAME}'}</code> }} />
      </p>
      {secrets.length > 0 && (
        <ul className={styles.list} aria-label={texts.secrets.list}>
          {secrets.map(({ name, hosts }) => (
            <li key={name} className={styles.row}>
              <span className={styles.grow}>
                <code>{name}</code> <code className={styles.address}>{hosts.join(', ')}</code>
              </span>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={texts.removeOf(name)}
                onClick={() => change(() => studio.secrets.remove({ name }), texts.secrets.removed(name))}
              >
                {texts.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <SecretForm onSecret={(secret) => change(() => studio.secrets.set(secret), texts.secrets.saved(secret.name, secret.hosts))} />
      <Outcome action={action} />
    </div>
  );
}

interface NewSecret {
  readonly name: string;
  readonly value: string;
  readonly hosts: string[];
}

/** A form for a secret. The page keeps it in no state: only the field holds it, and is cleared once it is sent. */
function SecretForm({ onSecret }: { onSecret: (secret: NewSecret) => void }) {
  const [name, setName] = useState('');
  const [hosts, setHosts] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = field.current?.value.trim() ?? '';
    if (value === '' || !field.current) return;
    field.current.value = '';
    onSecret({ name: name.trim(), value, hosts: hosts.split(/[\s,]+/).filter((host) => host !== '') });
  };
  return (
    <form className={styles.fields} onSubmit={submit} autoComplete="off">
      <TextInput
        label={texts.secrets.name}
        placeholder="GITHUB_TOKEN"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
      />
      <TextInput
        label={texts.secrets.hosts}
        placeholder="api.github.com"
        value={hosts}
        onChange={(event) => setHosts(event.currentTarget.value)}
        required
      />
      <PasswordInput
        ref={field}
        className={styles.grow ?? ''}
        size="xs"
        label={texts.secrets.secret}
        autoComplete="off"
        required
        visibilityToggleButtonProps={{ 'aria-label': texts.showTyped, tabIndex: 0 }}
      />
      <Button type="submit">{texts.secrets.save}</Button>
    </form>
  );
}
