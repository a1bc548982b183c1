/**
 * A text in both languages, for texts that only some pages load.
 * @param {string} en
 * @param {string} zh
 * @returns {{ en: string, "zh-Hans": string }}
 */
export const text = (en, zh) => ({ en, "zh-Hans": zh });
