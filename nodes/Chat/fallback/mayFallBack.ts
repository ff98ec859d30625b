import type { GatewayFailure } from '../../shared/errors/gatewayFailure';
import { meantStatus } from '../../shared/errors/meaning';

/** The gateway is too busy, or has reached a limit (interface, section 7). */
const BUSY = [429, 503, 529];

/**
 * Whether another model may be asked instead. Never after an unclear outcome: the answer may be on its way, and paid for.
 */
export function mayFallBack({ kind, facts }: GatewayFailure): boolean {
	if (facts.mayHaveBeenCarriedOut) return false;
	if (kind === 'unreachable' || kind === 'rateLimit' || kind === 'notFound') return true;
	const { status = 0 } = facts;
	return BUSY.includes(meantStatus(status, facts)) || isUnknownModel(facts);
}

/** Some gateways reject the name of a model as if it were any other wrong value. */
function isUnknownModel({ status = 0, code = '', gatewayMessage = '' }: GatewayFailure['facts']): boolean {
	if (status < 400 || status >= 500) return false;
	return (
		/model_?not_?(found|exist|available)|(unknown|invalid|no_such|unsupported)_model/i.test(code) ||
		/\bmodel\b[^.]{0,100}\b(not (exist|found|available)|doesn't exist|unknown)|\b(unknown|invalid|no such|unsupported) model\b|模型[^。]{0,60}(不存在|不可用|无效|未找到)/i.test(
			gatewayMessage,
		)
	);
}
