import { wholeOf } from '#renderer/debugger/value-difference.ts';
import { ValueTree } from '#renderer/debugger/value-tree.tsx';
import { isJsonObject, type Json } from '#shared/json.ts';
import styles from './input-fields.module.css';

interface InputFieldsProps {
  readonly input: Json;
  /** Fields that are shown elsewhere, as a difference. */
  readonly except: readonly string[];
}

/** A call's input, field by field, to be read. */
export function InputFields({ input, except }: InputFieldsProps) {
  if (!isJsonObject(input)) return <ValueTree label="Input" difference={wholeOf('same', input)} />;
  const fields = Object.entries(input).filter(([name]) => !except.includes(name));
  return (
    <dl className={styles.fields}>
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt className={styles.name}>{name}</dt>
          <dd className={styles.value}>
            {typeof value === 'string'
              ? value
              : Array.isArray(value) && value.every((item) => typeof item === 'string')
                ? value.join(' ')
                : null}
            {isWhole(value) && <ValueTree label={name} difference={wholeOf('same', value)} />}
            {(typeof value === 'number' || typeof value === 'boolean' || value === null) && String(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isWhole(value: Json): boolean {
  return isJsonObject(value) || (Array.isArray(value) && !value.every((item) => typeof item === 'string'));
}
