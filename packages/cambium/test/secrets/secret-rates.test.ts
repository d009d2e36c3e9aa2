/** How many made-up secrets are found, and how many ordinary sentences pass. */
import { expect, test } from "vitest";
import { findSecret } from "../../src/secrets/find-secret.js";

const chance = (length: number, alphabet = "aB3xK9mPq2LzW7nRt4Vc"): string =>
  Array.from({ length }, (_, place) => alphabet[(place * 7 + (place >> 2)) % alphabet.length]).join("");
const hex = (length: number): string => chance(length, "3f9a0c7e1b5d8246");

const FIRST_SECRETS: readonly string[] = [
  "password is hunter2horse!X9qq",
  "my password is Sommer2024!",
  "The wifi password is Blue$Train77",
  "the passphrase was correct7horse#battery",
  "passwd: Winter2019!!x",
  "pwd=Rex_2015&dog",
  "password = l3tM31n#now",
  `sk-ant-api03-${chance(40)}`,
  `use sk-ant-api03-${chance(18)} here`,
  `key sk-ant-admin01-${chance(60)}`,
  `ghp_${chance(24)}`,
  `github_pat_${chance(50)}`,
  `sk-proj-${chance(18)}`,
  `hf_${chance(28)}`,
  `npm_${chance(32)}`,
  `gsk_${chance(44)}`,
  `xai-${chance(64)}`,
  `AIza${chance(33)}`,
  `r8_${chance(32)}`,
  `pplx-${chance(40)}`,
];
/** Not looked at while the patterns were written. */
const OTHER_SECRETS: readonly string[] = [
  "the admin password is Tiger99$zoo",
  "password: P@ssw0rd2023",
  "Password is Kaffee4you!",
  "the router's passcode is 48Berlin#Tor",
  "pass phrase? no: passphrase is Moon9&river2",
  "password was Gandalf77!grey",
  "our password is now Xmas2022!tree",
  `lin_api_${chance(34)}`,
  `nfp_${chance(32)}`,
  `GOCSPX-${chance(22)}`,
  `rubygems_${hex(36)}`,
  `dop_v1_${hex(48)}`,
  `shpat_${hex(28)}`,
  `sk-ant-sid02-${chance(30)}`,
  `sk-svcacct-${chance(20)}`,
  `gho_${chance(22)}`,
  `token: ${chance(20)}`,
  `api key is ${chance(24)}`,
  "secret=9fK2mQx81LpZ",
  "db password is qwerty123!QWE",
];
const FIRST_SENTENCES: readonly string[] = [
  "The password is stored in 1Password.",
  "The password is required.",
  "The password policy is 12 characters with a digit.",
  "Our password manager is Bitwarden.",
  "The password was rotated on 2026-11-20.",
  "password is case-sensitive",
  "The password is optional in v2.0.1",
  "The passphrase is never logged.",
  "The token is refreshed every 15 minutes.",
  "API keys rotate every 90 days by cron job.",
  "The password field is named user_password2",
  "password: see the vault",
  "The wifi password is on the fridge",
  "The secret is to rest the dough overnight.",
  "Passwords are hashed with argon2id.",
  "password is hashed using bcrypt-12",
  "sk-learn is our library; scikit-learn 1.5",
  "the branch sk-ant-farm is merged",
  "npm_config_registry is set in CI",
  "npm_package_version comes from package.json",
];
const OTHER_SENTENCES: readonly string[] = [
  "Password resets are sent by e-mail.",
  "The password is at least 8 characters, one digit, one symbol!",
  "passcode is the same as last year's",
  "The password is op://Work/db/password",
  "password = process.env.DB_PASSWORD",
  "password: {{ db_password }}",
  "The password was changed by Noor yesterday.",
  "password is <your password>",
  "The passphrase is asked for at start-up.",
  "pwd is /home/leo/src2/app",
  "password: hidden in ops/secrets.md",
  "hf_transfer speeds up downloads",
  "The key idea: ghp_ is the prefix of GitHub tokens",
  "We use AIzawa's algorithm",
  "token is a JWT with RS256",
  "The credentials are in AWS Secrets Manager.",
  "password is compared in constant-time",
  "password is validated by PasswordValidator2",
  "Use passwordless sign-in: WebAuthn",
  "The password is 'example1!' in the docs",
];

const SECRETS_ABROAD: readonly string[] = [
  "Das WLAN-Passwort ist Blau$Zug77",
  "Passwort: Sommer2024!",
  "le mot de passe est Vert&Lune12",
  "La contraseña es Verano_2024!",
  "La password è Estate2023!mare",
  "a senha é Praia#2022x",
  "het wachtwoord is Fiets99!zon",
  "hasło: Zima2021#snieg",
  "пароль: Zima2021#sneg",
  "와이파이 비밀번호는 Bada2024!k",
  "パスワードはNatsu2024!k",
  "密码是Xiatian24!k",
];
const SENTENCES_ABROAD: readonly string[] = [
  "Das Passwort ist im Tresor.",
  "Das Passwort ist mindestens zwölf Zeichen lang",
  "Le mot de passe est obligatoire.",
  "La contraseña es la del año 2024",
  "비밀번호는 금고에 있습니다.",
  "パスワードは金庫にあります。2026年に変更",
  "密码是每90天更换一次的",
  "het wachtwoord is gewijzigd op 2026-11-20",
  "Parola d'ordine: rispetto.",
];

const passing = (texts: readonly string[]) => texts.filter((text) => findSecret(text) === undefined);
const refused = (texts: readonly string[]) => texts.filter((text) => findSecret(text) !== undefined);

test("[SE6] passwords that people make and keys of any length are found; sentences about them pass", () => {
  expect(passing(FIRST_SECRETS)).toEqual([]);
  expect(refused(FIRST_SENTENCES)).toEqual([]);
  expect(passing(OTHER_SECRETS)).toEqual([]);
  expect(refused(OTHER_SENTENCES)).toEqual([]);
  expect(passing(SECRETS_ABROAD)).toEqual([]);
  expect(refused(SENTENCES_ABROAD)).toEqual([]);
  // Of several such words, each is looked behind.
  expect(passing(["Secret: password is mango2tree!Q9zz", "token = secret: kV9x-22LmQpz8Rt"])).toEqual([]);
  expect(refused(["Secret: password is kept in the safe", "token: password: none of it"])).toEqual([]);
});
