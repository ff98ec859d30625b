const symbolVariety = 32;
const guessesPerSecond = 1e9;
const sequences = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const common = new Set([
	'password',
	'passw0rd',
	'123456',
	'12345678',
	'123456789',
	'qwerty',
	'abc123',
	'letmein',
	'admin',
	'welcome',
	'iloveyou',
	'111111',
	'000000',
	'woaini',
	'5201314',
]);

/** Bits of entropy, with two decimals, of `length` characters from an alphabet of `variety` characters. */
export function entropyOf(length: number, variety: number): number {
	return variety === 0 ? 0 : Math.round(length * Math.log2(variety) * 100) / 100;
}

/** Average time to crack at a billion guesses per second, in Chinese. */
export function timeToCrack(entropy: number): string {
	const seconds = 2 ** entropy / 2 / guessesPerSecond;
	const units: ReadonlyArray<[below: number, divisor: number, unit: string]> = [
		[60, 1, '秒'],
		[3600, 60, '分钟'],
		[86_400, 3600, '小时'],
		[31_536_000, 86_400, '天'],
		[31_536_000_000, 31_536_000, '年'],
	];
	if (seconds < 1) return '< 1秒';
	const fitting = units.find(([below]) => seconds < below);
	return fitting ? `${Math.round(seconds / fitting[1])}${fitting[2]}` : '数百万年';
}

/** The first grade whose limit is above the value. */
function grade(value: number, limits: readonly [number, number, number, number]): string {
	const names = ['极弱', '弱', '中等', '强', '极强'];
	const index = limits.findIndex((limit) => value < limit);
	return names[index < 0 ? limits.length : index];
}

/** Strength of a random password with this entropy in bits. */
export function strengthOfEntropy(entropy: number): string {
	return grade(entropy, [30, 40, 50, 60]);
}

function hasSequence(password: string): boolean {
	const lower = password.toLowerCase();
	const runs = sequences.flatMap((sequence) => [sequence, [...sequence].reverse().join('')]);
	return Array.from({ length: Math.max(lower.length - 2, 0) }, (_, start) =>
		lower.slice(start, start + 3),
	).some((three) => runs.some((run) => run.includes(three)));
}

/** Analysis of a password, its score (0 to 100) and recommendations. */
export function rate(password: string) {
	const analysis = {
		has_lowercase: /[a-z]/.test(password),
		has_uppercase: /[A-Z]/.test(password),
		has_numbers: /\d/.test(password),
		has_symbols: /[^a-zA-Z\d]/.test(password),
		has_repeated: /(.)\1\1/.test(password),
		has_sequential: hasSequence(password),
	};
	const { has_lowercase, has_uppercase, has_numbers, has_symbols, has_repeated, has_sequential } = analysis;
	const { length } = password;
	const isCommon = common.has(password.toLowerCase());
	const variety =
		(has_lowercase ? 26 : 0) +
		(has_uppercase ? 26 : 0) +
		(has_numbers ? 10 : 0) +
		(has_symbols ? symbolVariety : 0);
	const sets = [has_lowercase, has_uppercase, has_numbers, has_symbols].filter(Boolean).length;

	const points = [
		length * 4,
		sets * 2,
		has_lowercase ? 2 : 0,
		has_uppercase ? 2 : 0,
		has_numbers ? 4 : 0,
		has_symbols ? 6 : 0,
		...[8, 12, 16].map((enough) => (length >= enough ? 5 : 0)),
		has_repeated ? -10 : 0,
		has_sequential ? -15 : 0,
		isCommon ? -20 : 0,
	];
	const sum = points.reduce((total, point) => total + point, 0);
	const score = Math.min(Math.max(sum, 0), 100);

	const advice: ReadonlyArray<[applies: boolean, text: string]> = [
		[length < 8, '密码至少应有 8 位'],
		[length >= 8 && length < 12, '密码达到 12 位以上会更安全'],
		[!has_lowercase, '加入小写字母'],
		[!has_uppercase, '加入大写字母'],
		[!has_numbers, '加入数字'],
		[!has_symbols, '加入特殊符号'],
		[has_repeated, '避免连续重复的字符'],
		[has_sequential, '避免连续的字母、数字或键盘序列'],
		[isCommon, '这是常见密码，请更换'],
		[score >= 85, '密码强度已经很好'],
	];
	return {
		score,
		strength: grade(score, [30, 50, 70, 85]),
		entropy: entropyOf(length, variety),
		analysis: { ...analysis, character_variety: variety },
		recommendations: advice.filter(([applies]) => applies).map(([, text]) => text),
	};
}
