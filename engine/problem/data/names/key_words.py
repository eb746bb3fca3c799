"""Words for where and when something was measured, in the languages in which names of months are read."""

from __future__ import annotations

_BY_LANGUAGE = (
    "t time x frequency freq position depth year date distance wavelength lev lat latitude lon longitude month day hour "
    "yearfrac year_frac year_fraction fractional_year decimal_year decyear dec_year "
    "2theta 2_theta two_theta twotheta 2θ wavenumber wavevector momentum_transfer scattering_vector",
    "zeit uhrzeit datum tag monat jahr stunde ort tiefe abstand entfernung wellenlänge wellenlaenge frequenz",
    "tijd datum dag maand jaar uur plaats diepte afstand golflengte frequentie",
    "temps date jour mois année heure lieu profondeur distance longueur_d'onde fréquence",
    "tiempo fecha día mes año hora posición profundidad distancia longitud_de_onda frecuencia",
    "tempo data giorno mese anno ora posizione profondità distanza lunghezza_d'onda frequenza",
    "tempo data dia mês ano hora posição profundidade distância comprimento_de_onda frequência",
)
KEY_WORDS = frozenset(word.replace("_", " ") for words in _BY_LANGUAGE for word in words.split())
# in all these languages, and the letter; without an end, so that plurals are meant too
WAVELENGTHS = (
    "wavelength", "wave length", "wellenlänge", "wellenlaenge", "golflengte", "longueur d'onde", "longitud de onda",
    "lunghezza d'onda", "comprimento de onda", "lambda", "λ",
)  # fmt: skip
TIMES = frozenset("seconds minutes hours days weeks months years".split())  # what is counted since or after something
DISTANCES = frozenset(  # gauges measure them: of water in a well, of snow, of a target
    "depth distance tiefe abstand entfernung diepte afstand profondeur profundidad distancia profundidade distância profondità "
    "distanza".split()
)
