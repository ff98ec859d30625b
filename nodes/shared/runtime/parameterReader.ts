import type { IExecuteFunctions, ISupplyDataFunctions } from 'n8n-workflow';

/**
 * The parameters of a node for the items of one run. A parameter that holds no expression is the same for
 * all of them, so n8n is asked for it only once; values must not be changed by those who read them.
 */
export class Parameters {
	private readonly fixed = new Map<string, unknown>();
	private readonly varying = new Set<string>();

	constructor(private readonly context: IExecuteFunctions | ISupplyDataFunctions) {}

	/**
	 * A parameter of an item; null for one that the node does not show.
	 *
	 * @param extractValue whether of a picker only the chosen value is wanted
	 */
	read(name: string, itemIndex: number, extractValue = false): unknown {
		const key = extractValue ? `${name} value` : name;
		if (this.fixed.has(key)) return this.fixed.get(key);
		const fallback = extractValue ? '' : null;
		const value = this.context.getNodeParameter(
			name,
			itemIndex,
			fallback,
			extractValue ? { extractValue } : {},
		);
		if (!this.varying.has(name)) {
			const raw = this.context.getNodeParameter(name, itemIndex, fallback, { rawExpressions: true });
			if (holdsExpression(raw)) this.varying.add(name);
			else this.fixed.set(key, value);
		}
		return value;
	}
}

/** Whether a parameter, or anything in it, is an expression; n8n writes these with "=" in front. */
function holdsExpression(raw: unknown): boolean {
	if (typeof raw === 'string') return raw.startsWith('=');
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(holdsExpression);
}
