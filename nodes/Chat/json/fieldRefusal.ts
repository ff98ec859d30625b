import type { GatewayFailure } from '../../shared/errors/gatewayFailure';

/** Gateways also say that they have not implemented something. */
const NOT_IMPLEMENTED = 501;

/** Words about the form of a request, rather than its content. */
const ABOUT_FIELDS =
	/response_?format|response_?(schema|mime)|schema|json|tool|function|structured|param|field|propert|argument|unknown|unrecogni[sz]ed|unexpected|unsupported|not (support|allow|permit|implement|available)|extra|参数|字段|不支持/i;
/** The model has run, and failed to write what the field demands. */
const GENERATED = /fail(ed|ure)[ _](to[ _])?generat|failed_generation|json_validate_failed|generated/i;

/** Whether a request may have been rejected, without having been paid for, because of a field in it. */
export function isFieldRefusal({ kind, facts }: GatewayFailure): boolean {
	const { mayHaveBeenCarriedOut, partial, status, gatewayMessage = '', code = '', type = '' } = facts;
	if (mayHaveBeenCarriedOut || partial || status === 413) return false;
	if (kind !== 'request' && status !== NOT_IMPLEMENTED) return false;
	const words = `${gatewayMessage} ${code}`;
	if (GENERATED.test(`${words} ${type}`)) return false;
	return gatewayMessage === '' || ABOUT_FIELDS.test(words);
}
