import { Refusal } from './reply';

/**
 * Reads the query of a request. The first value of a repeated parameter counts, and an empty value is the same as none
 * except for `has`.
 */
export class ParameterReader {
	constructor(private readonly query: Record<string, string | string[] | undefined>) {}

	/** The value of a parameter, or `fallback` if it is missing or empty. */
	text(name: string, fallback = ''): string {
		const value = this.query[name];
		return (Array.isArray(value) ? value[0] : value) || fallback;
	}

	/** Whether the parameter is present, with any value; `force-update=false` counts as present (observed). */
	has(name: string): boolean {
		return this.query[name] !== undefined;
	}

	/**
	 * The values of required parameters.
	 * @throws Refusal 400 that names all of them if one is missing or empty
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

	/** The leading integer of a parameter; NaN if its value has none. */
	integer(name: string, fallback: number): number {
		const value = this.text(name);
		return value === '' ? fallback : Number.parseInt(value, 10);
	}

	/** A switch: on for `true` and `1`, off for `false` and `0`, otherwise `fallback`. */
	isOn(name: string, fallback: boolean): boolean {
		const value = this.text(name);
		if (value === 'true' || value === '1') return true;
		if (value === 'false' || value === '0') return false;
		return fallback;
	}

	/** All parameters except `encoding` as one line, for seeds: every encoding then contains the same data. */
	fingerprint(): string {
		return Object.keys(this.query)
			.filter((name) => name !== 'encoding')
			.sort()
			.map((name) => `${name}=${this.text(name)}`)
			.join('&');
	}
}
