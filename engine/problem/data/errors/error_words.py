"""Words for the errors of a measurement, in the languages in which names of months are read."""

from __future__ import annotations

import re

# English; German; Dutch; French; Spanish; Italian; Portuguese
OF_ERRORS = re.compile(
    r"\b(?:errors?|uncertaint(?:y|ies)|accurac(?:y|ies)|precision|(?:standard|std?\.?) ?dev(?:iations?\b|\.)|std|sds?|sigma|rsd"
    r"|coefficients? of variation|scatters?|repeatability|reproducibility|noise(?=[\s:=±]*[0-9.])"
    r"|\w*(?:fehler|unsicherheit(?:en)?|genauigkeit|standardabweichung(?:en)?)"
    r"|(?:meet)?fout(?:en)?|onzekerheid|nauwkeurigheid|standaardafwijking(?:en)?"
    r"|erreurs?|incertitudes?|précision|[ée]carts?[- ]types?"
    r"|errores|incertidumbres?|precisi[óo]n|desviaci(?:[óo]n|ones) (?:est[áa]ndar|t[íi]picas?)"
    r"|error[ei]|incertezz[ae]|precisione|deviazion[ei] standard"
    r"|erros?|incertezas?|precisão|desvios? padr(?:ão|ões))\b|σ"
    r"|\b(?-i:CVs?)\b(?=[^.0-9]{0,40}[0-9.,]+\s*%)",  # the coefficient of variation; a cv may be anything
    re.IGNORECASE,
)
CAPITAL = re.compile(r"(?<![^\W_])U(?=\s*[=:])")  # the sign of an expanded uncertainty, where a level is said
SIGN = re.compile(r"±|\+/[-\u2212]|\+-")
