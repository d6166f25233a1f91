import { Autocomplete } from '@mantine/core';
import { useStore } from 'zustand';
import { loadModelsFor, loadProviders, modelChoicesStore, modelHint, offeredModels } from './model-choices.ts';

interface ModelFieldProps {
  readonly label: string;
  readonly value: string;
  readonly className?: string;
  readonly placeholder?: string;
  readonly onChange: (url: string) => void;
}

/** A field for the URL of a model, with the providers' models as options. */
export function ModelField({ label, value, className, placeholder, onChange }: ModelFieldProps) {
  const choices = useStore(modelChoicesStore);
  return (
    <Autocomplete
      {...(className !== undefined && { className })}
      {...(placeholder !== undefined && { placeholder })}
      label={label}
      description={modelHint(value, choices)}
      data={offeredModels(choices)}
      limit={100}
      value={value}
      onFocus={() => void loadProviders().then(() => loadModelsFor(value))}
      onChange={(url) => {
        onChange(url);
        void loadModelsFor(url);
      }}
    />
  );
}
