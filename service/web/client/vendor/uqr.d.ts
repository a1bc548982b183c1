export function encode(text: string, options?: { border?: number; ecc?: "L" | "M" | "Q" | "H" }): { size: number; data: boolean[][] };
