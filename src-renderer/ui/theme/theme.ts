import { type CSSVariablesResolver, createTheme, defaultVariantColorsResolver, type VariantColorsResolver } from '@mantine/core';

/** Filled accent buttons take their text color from the tokens: Mantine would derive it from the light scheme only. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  if (input.variant !== 'filled' || (input.color !== undefined && input.color !== 'accent')) return colors;
  return { ...colors, background: 'var(--accent)', hover: 'var(--accent-hover)', color: 'var(--text-on-accent)' };
};

/** Mantine with the studio's density and fonts; its colors come from `tokens.css`. */
export const theme = createTheme({
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'var(--font-code)',
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '15px', xl: '18px' },
  headings: { fontFamily: 'var(--font-text)', fontWeight: '600' },
  defaultRadius: 'var(--radius)',
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.3,
  variantColorResolver,
  respectReducedMotion: true,
  focusRing: 'auto',
  colors: {
    // Mantine's dark greys, which its components use by index: set to the values of the tokens.
    dark: ['#e8eaee', '#c3c9d2', '#a3adba', '#949eac', '#414854', '#2b3038', '#1f2329', '#1a1d22', '#14161a', '#0e1013'],
    // Reds with enough contrast for text: index 6 on white, index 4 on dark surfaces.
    red: ['#fff0f0', '#ffe0e0', '#ffc9c9', '#ffa8a8', '#ff8787', '#e03131', '#c92a2a', '#b02525', '#9c2020', '#861b1b'],
    accent: ['#eef2ff', '#dbe4ff', '#bac8ff', '#9aabff', '#8196ff', '#5c7cfa', '#3355d4', '#2b48b8', '#243d9c', '#1c3080'],
  },
  components: {
    Button: {
      defaultProps: { size: 'xs' },
      // Only the animation centers the loader, and reduced motion disables the animation.
      styles: { root: { fontWeight: 500 }, loader: { transform: 'translate(-50%, -50%)' } },
    },
    Badge: { defaultProps: { radius: 4 }, styles: { root: { fontWeight: 600, textTransform: 'none' } } },
    ActionIcon: { defaultProps: { size: 28, variant: 'subtle', color: 'gray' } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    TextInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs' } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
    Autocomplete: { defaultProps: { size: 'xs' } },
    DateInput: { defaultProps: { size: 'xs' } },
    DateTimePicker: { defaultProps: { size: 'xs' } },
    TimeInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    FileInput: { defaultProps: { size: 'xs' } },
    Radio: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    JsonInput: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { openDelay: 400, transitionProps: { duration: 100 }, fz: 12 } },
    // The first item gets the focus, as in every menu: a placeholder in the list is not an item.
    Menu: {
      defaultProps: { transitionProps: { duration: 100 }, shadow: 'md', withInitialFocusPlaceholder: false },
      styles: { item: { paddingBlock: 5 } },
    },
    MenuDivider: { defaultProps: { role: 'separator' } },
    // Open and gone at once, so that no key is lost; base.css lets them appear softly.
    Modal: {
      defaultProps: { transitionProps: { duration: 0 }, overlayProps: { backgroundOpacity: 0.35 }, centered: true },
      styles: { title: { fontSize: 15, fontWeight: 600 } },
    },
  },
});

const variables = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-muted)',
  '--mantine-color-placeholder': 'var(--text-faint)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--surface-hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--surface-hover)',
  '--mantine-color-disabled-color': 'var(--text-faint)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-color-error': 'var(--error)',
  '--mantine-color-anchor': 'var(--accent)',
};

/** Maps Mantine's color variables to the tokens, the same in both schemes. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: variables, dark: variables });
