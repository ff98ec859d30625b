import type { GatewayFailure } from '../../shared/errors/gatewayFailure';

/** How many models are remembered. */
const MOST_MODELS = 500;

/** Models that do not accept a schema as a field of the request. */
export class SchemaRefusals {
	private readonly models = new Set<string>();

	has(model: string): boolean {
		return this.models.has(model);
	}

	add(model: string): void {
		this.models.add(model);
		if (this.models.size > MOST_MODELS) this.models.delete(this.models.values().next().value as string);
	}
}

/** What this process knows of models, by credential and endpoint. */
export const schemaRefusals = new SchemaRefusals();

/** Gateways also say that they have not implemented something. */
const NOT_IMPLEMENTED = 501;

/** Whether a request may have been rejected, without having been paid for, because of a field in it. */
export function isFieldRefusal({ kind, facts }: GatewayFailure): boolean {
	if (facts.mayHaveBeenCarriedOut || facts.partial) return false;
	return (kind === 'request' && facts.status !== 413) || facts.status === NOT_IMPLEMENTED;
}
