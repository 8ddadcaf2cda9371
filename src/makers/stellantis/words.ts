/** The anchors that more than one part of the reader looks for. */
export const BASE = /^(?:Base Price|Prix de base)\s*:?\s*/i;
export const TOTAL = /^(?:TOTAL PRICE|PRIX TOTAL)\s*:?\s*\*?\s*/i;
export const DESTINATION = /^(?:Destination Charge|Frais d.exp[ée]dition)\b/i;
/** Anchored, because the heading of the standard equipment contains the same words. */
export const OPTIONS =
  /^(?:OPTIONAL EQUIPMENT|ACCESSOIRES (?:OPTIONNELS|EN OPTION)|[ÉE]QUIPEMENTS? (?:OPTIONNELS?|EN OPTION))(?!\s*\))/i;
export const STANDARD =
  /^(?:STANDARD EQUIPMENT|[ÉE]QUIPEMENT (?:DE S[ÉE]RIE|STANDARD)|ACCESSOIRES (?:DE S[ÉE]RIE|STANDARD))/i;
