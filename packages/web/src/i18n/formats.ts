/**
 * Formats of the browser, each made once: that takes longer than to use it a hundred times.
 *
 * @module
 */

function kept<Format, Style>(make: new (locale: string, style?: Style) => Format) {
  const formats = new Map<string, Format>();
  return (locale: string, style?: Style): Format => {
    const key = `${locale} ${JSON.stringify(style)}`;
    const found = formats.get(key) ?? new make(locale, style);
    formats.set(key, found);
    return found;
  };
}

export const dateFormat = kept<Intl.DateTimeFormat, Intl.DateTimeFormatOptions>(Intl.DateTimeFormat);
export const numberFormat = kept<Intl.NumberFormat, Intl.NumberFormatOptions>(Intl.NumberFormat);
export const relativeFormat = kept<Intl.RelativeTimeFormat, Intl.RelativeTimeFormatOptions>(
  Intl.RelativeTimeFormat,
);
