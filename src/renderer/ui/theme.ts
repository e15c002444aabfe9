import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** Cool greys, as on an instrument, so that colour is reserved for data and status. */
const gray: MantineColorsTuple = [
  '#f5f7f9',
  '#edf0f3',
  '#e0e5ea',
  '#cfd6dd',
  '#aab4be',
  '#83909c',
  '#5f6c78',
  '#465360',
  '#2f3a45',
  '#1a222b',
];

/** Dark scheme from text (0) to the deepest background (9); Mantine uses 4 for lines, 6 for fields, 7 for the body. */
const dark: MantineColorsTuple = [
  '#d5dce3',
  '#aeb8c2',
  '#8794a0',
  '#5d6a76',
  '#333e49',
  '#28323c',
  '#1c242c',
  '#12181e',
  '#0d1217',
  '#080c10',
];

/** The only accent: a petrol blue that is distinct from the categorical palette's blues and from every status colour. */
const petrol: MantineColorsTuple = [
  '#e6f5f7',
  '#cde8ec',
  '#9dd2da',
  '#69bac7',
  '#3fa5b6',
  '#2293a7',
  '#0f7f94',
  '#0b6a7c',
  '#095766',
  '#053f4b',
];

const SANS =
  'Inter, "Segoe UI", -apple-system, BlinkMacSystemFont, Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif';
const MONO =
  '"JetBrains Mono", "Cascadia Mono", "SF Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace';

const small = { defaultProps: { size: 'sm' } };

/** 14 px base, 8 px grid, 32 px controls (see ui.css). */
export const theme = createTheme({
  colors: { gray, dark, petrol },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  luminanceThreshold: 0.32,
  black: '#1a222b',
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.45', xl: '1.4' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'sm',
  headings: {
    fontFamily: SANS,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '16px', lineHeight: '24px' },
      h3: { fontSize: '14px', lineHeight: '20px' },
      h4: { fontSize: '13px', lineHeight: '20px' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: small,
    TextInput: small,
    PasswordInput: small,
    NumberInput: small,
    Textarea: small,
    Select: small,
    MultiSelect: small,
    TagsInput: small,
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    Radio: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false, fz: 12 } },
    Badge: { defaultProps: { size: 'sm', radius: 'sm', variant: 'light', tt: 'none' } },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 0 } } },
    Drawer: { defaultProps: { transitionProps: { duration: 80 }, closeButtonProps: { 'aria-label': 'Close' } } },
    Modal: { defaultProps: { transitionProps: { duration: 0 }, closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
  },
});
