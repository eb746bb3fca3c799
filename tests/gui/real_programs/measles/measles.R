# SEIR model of a measles outbreak, four age groups, seasonal forcing, under-reporting.
# Usage:  Rscript measles.R settings.txt
suppressPackageStartupMessages(library(deSolve))

args <- commandArgs(trailingOnly = TRUE)
if (length(args) < 1) stop("usage: Rscript measles.R settings.txt")
lines <- sub("#.*$", "", readLines(args[1]))
lines <- lines[grepl("=", lines)]
key   <- trimws(sub("=.*$", "", lines))
val   <- trimws(sub("^[^=]*=", "", lines))
get   <- function(k) { i <- match(k, key); if (is.na(i)) stop("missing setting: ", k); val[i] }
num   <- function(k) { x <- as.numeric(sub("^([-+0-9.eE]+).*$", "\\1", get(k)))
                       if (is.na(x)) stop("not a number: ", k, " = ", get(k)); x }
nums  <- function(k) as.numeric(strsplit(get(k), ",")[[1]])

N     <- num("population");            start <- as.Date(get("first Monday"));  weeks <- num("weeks")
beta  <- num("beta");                  lat   <- num("latent period");          inf   <- num("infectious period")
amp   <- num("seasonal amplitude")/100
peak  <- as.numeric(as.Date(paste(get("seasonal peak"), format(start, "%Y")), "%d %b %Y") - start)
i0    <- num("initial infected");      rho   <- num("reporting")/100;          delay <- num("delay")
if (beta <= 0 || lat <= 0 || inf <= 0 || rho <= 0 || rho > 1 || i0 <= 0) stop("setting out of range")

age   <- trimws(strsplit(get("age groups"), ",")[[1]])
share <- nums("share of population"); share <- share/sum(share)
sus   <- nums("susceptible")/100;     act <- nums("contacts"); eps <- num("assortative")
n     <- N*share;                      G <- length(n)

# mixing: a share eps within the group, the rest proportionate; scaled so that R0 = beta*inf
C <- eps*diag(act/n) + (1 - eps)*outer(act, act)/sum(act*n)
scaled <- function(s) max(Re(eigen(C*s, only.values = TRUE)$values))
C <- C/scaled(n)

S0 <- n*sus;  first <- i0*S0*act/sum(S0*act)
y0 <- c(S0 - first, first*lat/(lat + inf), first*inf/(lat + inf), rep(0, G), rep(0, G))
seir <- function(t, y, p) {
  S <- y[1:G]; E <- y[G + 1:G]; I <- y[2*G + 1:G]; W <- y[3*G + 1:G]
  b <- beta*(1 + amp*cos(2*pi*(t - peak)/365))
  new <- b*S*as.vector(C %*% I)
  list(c(-new, new - E/lat, E/lat - I/inf, rho*E/lat - W/delay, W/delay))   # W: waiting to be notified
}
times <- 7*(0:weeks)
out <- lsoda(y0, times, seir, NULL, rtol = 1e-7, atol = 1e-6)[, -1]

notified <- rowSums(out[, 4*G + 1:G])
cases <- diff(notified)
I     <- rowSums(out[-1, 2*G + 1:G])
inf.g <- S0 - out[weeks + 1, 1:G]

cat("================================================================\n")
cat(" MEASLES  SEIR, age-structured        ", format(start, "%d %B %Y"), "+", weeks, "weeks\n")
cat(" deSolve", as.character(packageVersion("deSolve")), "lsoda   settings:", basename(args[1]), "\n")
cat("================================================================\n\n")
cat("Reported cases by week (week beginning Monday)\n\n")
print(data.frame(Week = 1:weeks, Monday = start + 7*(0:(weeks - 1)), Cases = round(cases, 2),
                 Prevalence = round(1e5*I/N, 1)), row.names = FALSE)
cat("\nPrevalence: infectious per 100 000 on Sunday evening\n\n")
cat("By age group, whole period\n\n")
print(data.frame("Age group" = age, Population = round(n), Susceptible = round(S0), Infected = round(inf.g),
                 "Attack rate" = sprintf("%.2f %%", 100*inf.g/n), check.names = FALSE), row.names = FALSE)
cat("\nR0                   ", sprintf("%.2f", beta*inf), "\n")
cat("R0 effective         ", sprintf("%.3f", beta*inf*scaled(S0)), "\n")
cat("Attack rate          ", sprintf("%.2f %% (%s infected)", 100*sum(inf.g)/N, format(round(sum(inf.g)), big.mark = ",")), "\n")
cat("Reported in all      ", sprintf("%.0f", notified[weeks + 1]), "\n")
k <- which.max(cases)
cat("Peak week            ", k, paste0("(", format(start + 7*(k - 1), "%d %b %Y"), ")"), "\n")
