"""Passerella ciclopedonale sul Lambro - modello FEM 3D (Pynite)
Unita': m, N, Pa.   M. Ferri, studio STR-17, rev. C
"""
from prettytable import PrettyTable
from Pynite import FEModel3D

# --- materiale -------------------------------------------------------
E = 2.10e11        # modulo elastico acciaio S275 [Pa]
nu = 0.30
rho = 77000.0      # peso specifico [N/m3]

# --- geometria -------------------------------------------------------
n_campi = 8
passo = 3.00       # [m]
altezza = 2.40     # [m]
larghezza = 2.60   # [m]

# --- sezioni  A [m2]  Iy [m4]  Iz [m4]  J [m4] -------------------------
sezioni = {
    "CORR_SUP": (4.30e-3, 1.10e-5, 1.10e-5, 1.70e-5),
    "CORR_INF": (3.40e-3, 6.20e-6, 6.20e-6, 9.80e-6),
    "MONTANTI": (1.90e-3, 1.40e-6, 1.40e-6, 2.20e-6),
    "DIAGONALI": (1.60e-3, 9.50e-7, 9.50e-7, 1.50e-6),
    "TRAVERSI": (2.85e-3, 1.94e-5, 1.42e-6, 7.00e-8),
}
perdita = 0.0      # perdita di sezione del corrente inferiore per corrosione [%]

# --- vincoli ---------------------------------------------------------
k_pila = 8.0e6     # rigidezza appoggio elastomerico sulla pila, per trave [N/m]

# --- prove di carico ---------------------------------------------------
# PC1: vasche d'acqua, peso misurato;  PC2: autocarro, peso nominale 92 kN
F_PC1 = {"A2": 15000.0, "A3": 15000.0, "A6": 7500.0}     # per trave [N]
F_PC2 = {"A5": 14000.0, "A6": 32000.0}                   # per trave [N]
lambda_2 = 1.00    # peso effettivo / nominale autocarro [-]

# ---------------------------------------------------------------------
ponte = FEModel3D()
ponte.add_material("S275", E, E / (2 * (1 + nu)), nu, rho)
for nome, (A, Iy, Iz, J) in sezioni.items():
    if nome == "CORR_INF":
        A = A * (1 - perdita / 100)
    ponte.add_section(nome, A, Iy, Iz, J)

for trave, z in (("", 0.0), ("'", larghezza)):
    for i in range(n_campi + 1):
        ponte.add_node(f"A{i}{trave}", i * passo, 0.0, z)
        ponte.add_node(f"B{i}{trave}", i * passo, altezza, z)


def asta(nome, i, j, sezione):
    ponte.add_member(nome, i, j, "S275", sezione)


for t in ("", "'"):
    for i in range(n_campi):
        asta(f"CI{i + 1}{t}", f"A{i}{t}", f"A{i + 1}{t}", "CORR_INF")
        asta(f"CS{i + 1}{t}", f"B{i}{t}", f"B{i + 1}{t}", "CORR_SUP")
        giu, su = (i, i + 1) if i % 2 == 0 else (i + 1, i)
        asta(f"D{i + 1}{t}", f"A{giu}{t}", f"B{su}{t}", "DIAGONALI")
    for i in range(n_campi + 1):
        asta(f"M{i}{t}", f"A{i}{t}", f"B{i}{t}", "MONTANTI")
for i in range(n_campi + 1):
    asta(f"T{i}", f"A{i}", f"A{i}'", "TRAVERSI")
    asta(f"V{i}", f"B{i}", f"B{i}'", "TRAVERSI")
for i in range(n_campi):
    asta(f"X{i + 1}", f"A{i}", f"A{i + 1}'", "DIAGONALI")
    asta(f"Y{i + 1}", f"B{i}", f"B{i + 1}'", "DIAGONALI")

for t in ("", "'"):
    ponte.def_support("A0" + t, True, True, True)
    ponte.def_support(f"A{n_campi}" + t, False, True, True)
    ponte.def_support_spring("A4" + t, "DY", k_pila)
    for nodo, f in F_PC1.items():
        ponte.add_node_load(nodo + t, "FY", -f, case="PC1")
    for nodo, f in F_PC2.items():
        ponte.add_node_load(nodo + t, "FY", -f * lambda_2, case="PC2")
ponte.add_load_combo("PC1", {"PC1": 1.0})
ponte.add_load_combo("PC2", {"PC2": 1.0})
ponte.analyze_linear(check_statics=True)


def stampa(titolo, intestazioni, righe):
    tabella = PrettyTable(intestazioni)
    tabella.align = "r"
    for riga in righe:
        tabella.add_row(riga)
    print(f"\n{titolo}\n{tabella}")


for c in ("PC1", "PC2"):
    stampa(
        f"SPOSTAMENTI NODALI - combinazione {c}",
        ["Nodo", "DX [m]", "DY [m]", "DZ [m]", "RZ [rad]"],
        [
            [n, f"{v.DX[c]:.5E}", f"{v.DY[c]:.5E}", f"{v.DZ[c]:.5E}", f"{v.RZ[c]:.5E}"]
            for n, v in ponte.nodes.items()
            if "'" not in n
        ],
    )
    stampa(
        f"SFORZI NELLE ASTE - combinazione {c}",
        ["Asta", "N [N]", "Ty max [N]", "Mz max [Nm]"],
        [
            [n, f"{m.axial(m.L() / 2, c):.1f}", f"{m.max_shear('Fy', c):.1f}", f"{m.max_moment('Mz', c):.1f}"]
            for n, m in ponte.members.items()
            if "'" not in n and n[0] in "CDM"
        ],
    )
    stampa(
        f"REAZIONI VINCOLARI - combinazione {c}",
        ["Nodo", "FX [N]", "FY [N]", "FZ [N]"],
        [
            [n, f"{v.RxnFX[c]:.1f}", f"{v.RxnFY[c]:.1f}", f"{v.RxnFZ[c]:.1f}"]
            for n, v in ponte.nodes.items()
            if n in ("A0", "A4", "A8")
        ],
    )
