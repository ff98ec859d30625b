import { Refusal } from './reply';

/**
 * The query of a request as the utility endpoints read it: of a repeated parameter the first value counts, and an
 * empty value is the same as none, except for `has`.
 */
export class ParameterReader {
	constructor(private readonly query: Record<string, string | string[] | undefined>) {}

	/** The value of a parameter, or `fallback` when it is missing or empty. */
	text(name: string, fallback = ''): string {
		const value = this.query[name];
		return (Array.isArray(value) ? value[0] : value) || fallback;
	}

	/** Whether the parameter is there at all; even `force-update=false` is (observed). */
	has(name: string): boolean {
		return this.query[name] !== undefined;
	}

	/**
	 * The values of parameters that must not be empty.
	 * @throws Refusal 400 that names all of them when one is missing
	 */
	required<Name extends string>(...names: Name[]): Record<Name, string> {
		if (names.some((name) => this.text(name) === '')) {
			throw new Refusal(
				400,
				400,
				`参数 ${names.join(', ')} 不能为空。如为 query 参数，请进行必要的 URL 编码`,
			);
		}
		return Object.fromEntries(names.map((name) => [name, this.text(name)])) as Record<Name, string>;
	}

	/** The leading whole number of a parameter; NaN for a value without one. */
	integer(name: string, fallback: number): number {
		const value = this.text(name);
		return value === '' ? fallback : Number.parseInt(value, 10);
	}

	/** A switch: `true` and `1` put it on, `false` and `0` off; anything else keeps the default. */
	isOn(name: string, fallback: boolean): boolean {
		const value = this.text(name);
		if (value === 'true' || value === '1') return true;
		if (value === 'false' || value === '0') return false;
		return fallback;
	}

	/** All parameters but `encoding` as one line: what a seed is made of, so that every encoding shows the same data. */
	fingerprint(): string {
		return Object.keys(this.query)
			.filter((name) => name !== 'encoding')
			.sort()
			.map((name) => `${name}=${this.text(name)}`)
			.join('&');
	}
}
