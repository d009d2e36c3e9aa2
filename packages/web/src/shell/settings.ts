/**
 * What the reader chose: language, and light or dark. Kept in this browser.
 *
 * @module
 */
import { createContext, useContext, useEffect, useMemo, useState } from "react";
import { type Language, type Reader, readerOf } from "../i18n/text.ts";

export type Theme = "light" | "dark";

export interface Settings {
  readonly reader: Reader;
  readonly theme: Theme;
  readonly setLanguage: (language: Language) => void;
  readonly setTheme: (theme: Theme) => void;
}

const LANGUAGE = "cambium-language";
const THEME = "cambium-theme";
const DARK = "(prefers-color-scheme: dark)";

export const SettingsContext = createContext<Settings | undefined>(undefined);

export function useSettings(): Settings {
  const settings = useContext(SettingsContext);
  if (settings === undefined) throw new Error("There are no settings outside of the page.");
  return settings;
}

export function useNewSettings(): Settings {
  const [language, setLanguage] = useState<Language>(storedLanguage);
  const [chosen, setChosen] = useState<Theme | undefined>(storedTheme);
  const preferred = usePreferredTheme();
  const theme = chosen ?? preferred;
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  return useMemo(
    () => ({
      reader: readerOf(language, navigator.languages),
      theme,
      setLanguage: (next) => {
        localStorage.setItem(LANGUAGE, next);
        setLanguage(next);
      },
      setTheme: (next) => {
        localStorage.setItem(THEME, next);
        setChosen(next);
      },
    }),
    [language, theme],
  );
}

function storedLanguage(): Language {
  const found = localStorage.getItem(LANGUAGE) ?? navigator.language.slice(0, 2);
  return found === "ko" ? "ko" : "en";
}

function storedTheme(): Theme | undefined {
  const found = localStorage.getItem(THEME);
  return found === "light" || found === "dark" ? found : undefined;
}

function usePreferredTheme(): Theme {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const query = matchMedia(DARK);
    const changed = () => setDark(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return isDark ? "dark" : "light";
}
