import { startUtilities, type Utilities } from './gateway';

let utilities: Utilities;
beforeAll(async () => {
	utilities = await startUtilities();
});
afterAll(async () => await utilities.close());

describe('GET /color', () => {
	const color = async (hex: string) =>
		await utilities.data<object>(`/color/random?color=${encodeURIComponent(hex)}`);

	it('accepts three or six digits, with or without #', async () => {
		const full = await color('#FF5533');
		for (const hex of ['ff5533', 'f53', '#F53']) expect(await color(hex)).toEqual(full);
	});

	it.each([
		[
			'FF5733',
			'rgb(255, 87, 51)',
			'hsl(11, 100%, 60%)',
			'hsv(11, 80%, 100%)',
			'cmyk(0%, 66%, 80%, 0%)',
			'lab(60, 62, 54)',
		],
		['000000', 'rgb(0, 0, 0)', 'hsl(0, 0%, 0%)', 'hsv(0, 0%, 0%)', 'cmyk(0%, 0%, 0%, 100%)', 'lab(0, 0, 0)'],
		[
			'FFFFFF',
			'rgb(255, 255, 255)',
			'hsl(0, 0%, 100%)',
			'hsv(0, 0%, 100%)',
			'cmyk(0%, 0%, 0%, 0%)',
			'lab(100, 0, 0)',
		],
		[
			'0000FF',
			'rgb(0, 0, 255)',
			'hsl(240, 100%, 50%)',
			'hsv(240, 100%, 100%)',
			'cmyk(100%, 100%, 0%, 0%)',
			'lab(32, 79, -108)',
		],
		[
			'336699',
			'rgb(51, 102, 153)',
			'hsl(210, 50%, 40%)',
			'hsv(210, 67%, 60%)',
			'cmyk(67%, 33%, 0%, 40%)',
			'lab(42, 0, -33)',
		],
	])('converts %s to every notation', async (hex, rgb, hsl, hsv, cmyk, lab) => {
		const notation = (string: string) => expect.objectContaining({ string }) as object;
		expect(await color(hex)).toMatchObject({
			hex: `#${hex}`,
			rgb: notation(rgb),
			hsl: notation(hsl),
			hsv: notation(hsv),
			cmyk: notation(cmyk),
			lab: notation(lab),
		});
	});

	it('returns contrast, accessibility and related colors', async () => {
		expect(await color('FFFFFF')).toMatchObject({
			contrast: { white: 1, black: 21 },
			accessibility: { aaa_normal: true, best_text_color: '#000000' },
		});
		expect(await color('FF0000')).toMatchObject({
			brightness: 76,
			complementary: '#00FFFF',
			analogous: ['#FF0080', '#FF8000'],
			triadic: ['#00FF00', '#0000FF'],
			accessibility: { aa_normal: true, aaa_normal: false },
		});
	});

	it('returns eight palettes for a color', async () => {
		const { palettes, metadata } = await utilities.data<{
			palettes: Array<{ name: string; colors: Array<{ hex: string }> }>;
			metadata: { total_palettes: number };
		}>('/color/palette?color=FF0000');
		expect(palettes).toHaveLength(8);
		expect(metadata.total_palettes).toBe(8);
		const triad = palettes.find(({ name }) => name === '三角配色')!;
		expect(triad.colors.map(({ hex }) => hex)).toEqual(['#FF0000', '#00FF00', '#0000FF']);
		for (const { colors } of palettes) expect(colors.some(({ hex }) => hex === '#FF0000')).toBe(true);
		const { text } = await utilities.call('/color/palette?color=FF0000&encoding=html');
		expect(text).toContain('style="background: #00FF00"');
	});
});

describe('GET /health', () => {
	const health = async (query: string) => await utilities.data<Record<string, object>>(`/health?${query}`);

	it('follows the formulas', async () => {
		expect(await health('height=175&weight=70&age=30&gender=male')).toMatchObject({
			bmi: { value: 22.86, category: '正常体重' },
			weight_assessment: { ideal_weight_range: '56.7-73.5kg', standard_weight: '70kg', status: '体重正常' },
			metabolism: { bmr: '1696 卡路里/天', tdee: '2713 卡路里/天', weight_loss_calories: '2213 卡路里/天' },
			body_surface_area: { value: '1.85m²' },
			body_fat: { percentage: '18.1%', category: '略高', fat_weight: '12.7kg', lean_weight: '57.3kg' },
		});
		expect(await health('height=162.5&weight=90.5&age=52&gender=female')).toMatchObject({
			basic_info: { height: '162.5cm', gender: '女性' },
			bmi: { value: 34.27, category: '肥胖' },
			weight_assessment: { adjustment: '建议减重 27.1kg' },
			metabolism: { bmr: '1563 卡路里/天' },
		});
	});
});

describe('GET /password', () => {
	interface Password {
		password: string;
		length: number;
		character_sets: { used_sets: string[] };
		generation_info: { entropy: number; strength: string };
	}
	const generate = async (query: string) => await utilities.data<Password>(`/password?${query}`);

	it('returns 16 letters and digits without similar characters by default', async () => {
		const { password, length, character_sets } = await generate('');
		expect(password).toMatch(/^[a-zA-Z2-9]{16}$/);
		expect(password).not.toMatch(/[il1Lo0O]/);
		expect(length).toBe(16);
		expect(character_sets.used_sets).toEqual(['lowercase', 'uppercase', 'numbers']);
	});

	it.each([
		['length=8&uppercase=false&lowercase=false', /^[2-9]{8}$/],
		['length=40&numbers=0&uppercase=0', /^[a-z]{40}$/],
		['length=128&lowercase=false&numbers=false', /^[A-Z]{128}$/],
		['length=30&numbers=false&uppercase=false&lowercase=false&symbols=1', /^[!@#$%^&*_+\-=|:?]{30}$/],
	])('uses the requested length and characters for %s', async (query, pattern) => {
		expect((await generate(query)).password).toMatch(pattern);
	});

	it('uses at least one character of each set', async () => {
		for (let length = 4; length < 20; length++) {
			const { password } = await generate(`length=${length}&symbols=true`);
			for (const set of [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/]) expect(password).toMatch(set);
			expect(password).toHaveLength(length);
		}
	});

	it('uses similar and ambiguous characters if they are allowed', async () => {
		const { password } = await generate(
			'length=128&symbols=true&exclude_similar=false&exclude_ambiguous=false',
		);
		expect(password).toMatch(/[il1Lo0O]/);
		expect(password).toMatch(/[{}[\]()<>;,.]/);
	});

	it('returns the entropy', async () => {
		expect((await generate('length=12&symbols=true')).generation_info.entropy).toBe(73.55);
		expect((await generate('length=12')).generation_info).toMatchObject({ entropy: 69.38, strength: '极强' });
		expect((await generate('length=4')).generation_info.strength).toBe('极弱');
	});

	it('returns the same password in every encoding, and another one for other options', async () => {
		const { password } = await generate('length=12');
		expect((await utilities.call('/password?length=12&encoding=text')).text).toBe(password);
		expect((await utilities.call('/password?length=12&encoding=text-detail')).text).toContain(password);
		expect((await generate('length=12&symbols=true')).password).not.toBe(password);
	});
});

describe('GET /password/check', () => {
	const check = async (password: string) =>
		await utilities.data<{ score: number; recommendations: string[] }>(
			`/password/check?password=${encodeURIComponent(password)}`,
		);

	it('returns the observed score', async () => {
		const result = await check('hunter2');
		expect(result).toMatchObject({ score: 38, strength: '弱', entropy: 36.19, time_to_crack: '39秒' });
		expect(result.recommendations).toHaveLength(3);
	});

	it('deducts points for repetition, sequences and common passwords', async () => {
		const { score: plain } = await check('xkvmqtrw');
		expect(plain - (await check('xkvmmmrw')).score).toBe(10);
		expect(plain - (await check('xkvabcrw')).score).toBe(15);
		expect(plain - (await check('xkvcbarw')).score).toBe(15);
		expect(plain - (await check('password')).score).toBe(20);
	});

	it('keeps the score between 0 and 100', async () => {
		expect((await check('111')).score).toBe(8);
		expect((await check('Correct-Horse-9-Battery-Staple!')).score).toBe(100);
		expect((await check('000000')).score).toBe(0);
	});
});
